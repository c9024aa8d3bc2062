/*{
  "DESCRIPTION": "Round dots whose size waves over the picture",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "rows", "LABEL": "Rows", "TYPE": "float", "DEFAULT": 12.0, "MIN": 2.0, "MAX": 60.0},
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 1.0, "MIN": -4.0, "MAX": 4.0},
    {"NAME": "dot", "LABEL": "Colour of the dots", "TYPE": "color", "DEFAULT": [1.0, 1.0, 1.0, 1.0]},
    {"NAME": "ground", "LABEL": "Colour between them", "TYPE": "color", "DEFAULT": [0.0, 0.0, 0.0, 1.0]}
  ]
}*/
void main() {
  vec2 at = isf_FragNormCoord * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0) * rows;
  vec2 cell = floor(at);
  float radius = 0.28 + 0.2 * sin(cell.x * 0.5 + cell.y * 0.35 + TIME * speed * 3.0);
  float edge = rows / RENDERSIZE.y;
  float inside = 1.0 - smoothstep(radius - edge, radius + edge, length(fract(at) - 0.5));
  gl_FragColor = vec4(mix(ground.rgb, dot.rgb, inside), 1.0);
}
