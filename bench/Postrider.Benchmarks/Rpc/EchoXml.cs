using Postrider.Xml;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Our XML formatters of what the contract sends.</summary>
[XmlSerializable(typeof(IEcho))]
public sealed partial class EchoXml : XmlContext;
