/*{
  "DESCRIPTION": "One side of the picture on both sides",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Geometry"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "side", "LABEL": "Side", "TYPE": "long", "VALUES": [0, 1, 2, 3, 4], "LABELS": ["Left", "Right", "Top", "Bottom", "Quarter"], "DEFAULT": 0},
    {"NAME": "at", "LABEL": "Place of the mirror", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.1, "MAX": 0.9}
  ]
}*/
void main() {
  vec2 from = isf_FragNormCoord;
  if (side == 0 || side == 4) from.x = at - abs(from.x - at);
  if (side == 1) from.x = at + abs(from.x - at);
  if (side == 2) from.y = at + abs(from.y - at);
  if (side == 3 || side == 4) from.y = at - abs(from.y - at);
  gl_FragColor = IMG_NORM_PIXEL(inputImage, abs(mod(from + 1.0, 2.0) - 1.0));
}
