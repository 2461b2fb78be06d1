namespace Postrider.Rpc.Soap.Codecs;

/// <summary>A serializer of parts with their own names.</summary>
internal interface IXmlNamed
{
    byte[][] Names { get; }
}
