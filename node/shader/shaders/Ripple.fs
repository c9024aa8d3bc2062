/*{
  "DESCRIPTION": "Waves like those of a stone in water",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Distortion"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "strength", "LABEL": "Strength", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0.0, "MAX": 0.15},
    {"NAME": "waves", "LABEL": "Waves", "TYPE": "float", "DEFAULT": 12.0, "MIN": 1.0, "MAX": 60.0},
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 1.0, "MIN": -6.0, "MAX": 6.0},
    {"NAME": "center", "LABEL": "Where the stone fell", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0.0, 0.0], "MAX": [1.0, 1.0]}
  ]
}*/
void main() {
  vec2 away = isf_FragNormCoord - center;
  float far = length(away * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0));
  float wave = sin((far * waves - TIME * speed) * 6.2831853) * strength / (1.0 + far * 4.0);
  gl_FragColor = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord + away / max(far, 0.001) * wave);
}
