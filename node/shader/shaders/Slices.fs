/*{
  "DESCRIPTION": "The pictures change places in slices that slide",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image"},
    {"NAME": "progress", "LABEL": "From the first to the second", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.0, "MAX": 1.0},
    {"NAME": "slices", "LABEL": "Slices", "TYPE": "float", "DEFAULT": 9.0, "MIN": 1.0, "MAX": 60.0}
  ]
}*/
void main() {
  float slice = floor(isf_FragNormCoord.y * floor(slices));
  float way = mod(slice, 2.0) < 0.5 ? 1.0 : -1.0;
  float x = isf_FragNormCoord.x - way * progress;
  bool is_first = x >= 0.0 && x < 1.0;
  vec2 at = vec2(is_first ? x : x + way, isf_FragNormCoord.y);
  gl_FragColor = is_first ? IMG_NORM_PIXEL(startImage, at) : IMG_NORM_PIXEL(endImage, at);
}
