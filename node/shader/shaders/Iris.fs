/*{
  "DESCRIPTION": "The second picture opens in a growing circle",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image"},
    {"NAME": "progress", "LABEL": "From the first to the second", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.0, "MAX": 1.0},
    {"NAME": "soft", "LABEL": "Softness", "TYPE": "float", "DEFAULT": 0.05, "MIN": 0.0, "MAX": 0.5}
  ]
}*/
void main() {
  vec2 shape = vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0);
  float far = length((isf_FragNormCoord - 0.5) * shape) / length(shape * 0.5);
  float radius = progress * (1.0 + 2.0 * soft) - soft;
  float outside = smoothstep(radius - soft, radius + soft + 0.0001, far);
  gl_FragColor = mix(IMG_THIS_PIXEL(endImage), IMG_THIS_PIXEL(startImage), outside);
}
