using System.Runtime.Serialization;
using System.ServiceModel;
using Postrider.Rpc;
using Postrider.Xml;

namespace Postrider.UnitTests.Rpc.Soap;

/// <summary>What the SOAP reader is given messages of.</summary>
[ServiceContract(Name = "Ledger", Namespace = "urn:ledger")]
public interface ILedger
{
    [OperationContract]
    int Add(int a, int b);

    [OperationContract]
    Entry Post(Entry entry, CallContext context);

    [Bare]
    [OperationContract]
    List<Entry> List(Guid owner);
}

[DataContract(Namespace = "urn:ledger:data")]
[KnownType(typeof(Correction))]
public class Entry
{
    [DataMember] public string? Text { get; set; }

    [DataMember] public decimal Amount { get; set; }

    [DataMember] public byte[]? Receipt { get; set; }

    [DataMember] public DateTime? When { get; set; }

    [DataMember] public List<Entry>? Parts { get; set; }
}

[DataContract(Namespace = "urn:ledger:data")]
public sealed class Correction : Entry
{
    [DataMember] public string? Of { get; set; }
}

[XmlSerializable(typeof(ILedger))]
internal sealed partial class LedgerXml : XmlContext;
