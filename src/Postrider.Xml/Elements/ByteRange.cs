namespace Postrider.Xml.Elements;

/// <summary>A part of the input.</summary>
internal readonly record struct ByteRange(int At, int Bytes);
