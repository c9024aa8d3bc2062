/*{
  "DESCRIPTION": "Large pixels, round or square",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Stylize"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "rows", "LABEL": "Rows", "TYPE": "float", "DEFAULT": 36.0, "MIN": 4.0, "MAX": 200.0},
    {"NAME": "dots", "LABEL": "Round", "TYPE": "bool", "DEFAULT": false}
  ]
}*/
void main() {
  vec2 cells = vec2(floor(rows * RENDERSIZE.x / RENDERSIZE.y), floor(rows));
  vec2 at = isf_FragNormCoord * cells;
  vec4 color = IMG_NORM_PIXEL(inputImage, (floor(at) + 0.5) / cells);
  float light = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  float inside = step(length(fract(at) - 0.5), 0.15 + 0.4 * light);
  gl_FragColor = dots ? vec4(color.rgb * inside, color.a) : color;
}
