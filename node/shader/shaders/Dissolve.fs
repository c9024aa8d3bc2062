/*{
  "DESCRIPTION": "The second picture comes through in glowing flakes",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image"},
    {"NAME": "progress", "LABEL": "From the first to the second", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.0, "MAX": 1.0},
    {"NAME": "rows", "LABEL": "Rows of flakes", "TYPE": "float", "DEFAULT": 40.0, "MIN": 4.0, "MAX": 300.0},
    {"NAME": "glow", "LABEL": "Colour of the edge", "TYPE": "color", "DEFAULT": [1.0, 0.6, 0.1, 1.0]}
  ]
}*/
float random(vec2 cell) { return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453); }
void main() {
  vec2 at = isf_FragNormCoord * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0) * rows;
  float flake = 0.7 * random(floor(at)) + 0.3 * random(floor(at / 6.0));
  float gone = progress * 1.1 - flake;
  vec4 color = gone > 0.0 ? IMG_THIS_PIXEL(endImage) : IMG_THIS_PIXEL(startImage);
  bool is_edge = gone > 0.0 && gone < 0.08 && progress < 1.0;
  gl_FragColor = is_edge ? mix(color, glow, 1.0 - gone / 0.08) : color;
}
