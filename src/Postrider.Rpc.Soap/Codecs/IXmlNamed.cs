namespace Postrider.Rpc.Soap.Codecs;

/// <summary>Parts with names of their own.</summary>
internal interface IXmlNamed
{
    byte[][] Names { get; }
}
