/*{
  "DESCRIPTION": "Stripes of two colours that run over the picture",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "count", "LABEL": "Stripes", "TYPE": "float", "DEFAULT": 10.0, "MIN": 1.0, "MAX": 80.0},
    {"NAME": "angle", "LABEL": "Direction", "TYPE": "float", "DEFAULT": 0.25, "MIN": -1.0, "MAX": 1.0},
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 0.5, "MIN": -4.0, "MAX": 4.0},
    {"NAME": "share", "LABEL": "Width of the first", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.0, "MAX": 1.0},
    {"NAME": "first", "LABEL": "First colour", "TYPE": "color", "DEFAULT": [1.0, 0.1, 0.4, 1.0]},
    {"NAME": "second", "LABEL": "Second colour", "TYPE": "color", "DEFAULT": [0.05, 0.05, 0.1, 1.0]}
  ]
}*/
void main() {
  vec2 at = (isf_FragNormCoord - 0.5) * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0);
  float way = angle * 3.1415927;
  float place = fract((at.x * cos(way) + at.y * sin(way)) * count + TIME * speed);
  float edge = count / RENDERSIZE.y;
  float inside = smoothstep(0.0, edge, place) - smoothstep(share, share + edge, place);
  gl_FragColor = vec4(mix(second.rgb, first.rgb, clamp(inside, 0.0, 1.0)), 1.0);
}
