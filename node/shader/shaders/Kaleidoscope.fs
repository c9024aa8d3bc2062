/*{
  "DESCRIPTION": "Mirrors the picture around a point",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Geometry"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "sides", "LABEL": "Mirrors", "TYPE": "float", "DEFAULT": 6.0, "MIN": 2.0, "MAX": 24.0},
    {"NAME": "angle", "LABEL": "Turn", "TYPE": "float", "DEFAULT": 0.0, "MIN": -1.0, "MAX": 1.0},
    {"NAME": "center", "LABEL": "Middle", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0.0, 0.0], "MAX": [1.0, 1.0]}
  ]
}*/
void main() {
  vec2 shape = vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0);
  vec2 at = (isf_FragNormCoord - center) * shape;
  float part = 6.2831853 / floor(sides);
  float turned = mod(atan(at.y, at.x) + angle * 3.1415927, part);
  turned = abs(turned - part * 0.5);
  vec2 from = vec2(cos(turned), sin(turned)) * length(at) / shape + center;
  from = abs(mod(from + 1.0, 2.0) - 1.0);
  gl_FragColor = IMG_NORM_PIXEL(inputImage, from);
}
