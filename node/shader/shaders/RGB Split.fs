/*{
  "DESCRIPTION": "Moves red and blue apart",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Glitch"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "amount", "LABEL": "Distance", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0.0, "MAX": 0.2},
    {"NAME": "angle", "LABEL": "Direction", "TYPE": "float", "DEFAULT": 0.0, "MIN": -1.0, "MAX": 1.0}
  ]
}*/
void main() {
  vec2 apart = amount * vec2(cos(angle * 3.1415927), sin(angle * 3.1415927));
  vec4 middle = IMG_THIS_PIXEL(inputImage);
  float red = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord - apart).r;
  float blue = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord + apart).b;
  gl_FragColor = vec4(red, middle.g, blue, middle.a);
}
