/*{
  "DESCRIPTION": "A flight through a tunnel of light and dark tiles",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 0.8, "MIN": -4.0, "MAX": 4.0},
    {"NAME": "twist", "LABEL": "Twist", "TYPE": "float", "DEFAULT": 0.4, "MIN": -3.0, "MAX": 3.0},
    {"NAME": "tiles", "LABEL": "Tiles around", "TYPE": "float", "DEFAULT": 8.0, "MIN": 2.0, "MAX": 32.0},
    {"NAME": "tint", "LABEL": "Colour", "TYPE": "color", "DEFAULT": [0.3, 0.9, 1.0, 1.0]}
  ]
}*/
void main() {
  vec2 at = (isf_FragNormCoord - 0.5) * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0);
  float far = 0.25 / max(length(at), 0.001);
  float angle = atan(at.y, at.x) / 6.2831853 + far * twist * 0.1;
  vec2 tile = vec2(floor(angle * floor(tiles)), floor((far + TIME * speed) * 4.0));
  float light = mod(tile.x + tile.y, 2.0);
  float fog = clamp(1.4 / (1.0 + far), 0.0, 1.0);
  gl_FragColor = vec4(tint.rgb * (0.15 + 0.85 * light) * fog, 1.0);
}
