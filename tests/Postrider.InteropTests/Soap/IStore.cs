using System.Runtime.Serialization;
using System.ServiceModel;
using Postrider.Rpc;
using Postrider.Xml;

namespace Postrider.InteropTests.Soap;

/// <summary>A contract as WCF's users write it, whom every foreign client calls.</summary>
[ServiceContract(Name = "Store", Namespace = "urn:postrider:store")]
public interface IStore
{
    [OperationContract]
    int Add(int a, int b);

    [OperationContract]
    Goods Echo(Goods goods);

    [OperationContract]
    List<string> Reverse(List<string> items);

    [OperationContract]
    [FaultContract(typeof(SoldOut))]
    Task<int> BuyAsync(string item, int count);

    [OperationContract]
    string WhoAmI(CallContext context);

    [OperationContract(IsOneWay = true)]
    void Note(string text);
}

[DataContract(Namespace = "urn:postrider:goods")]
public enum Size
{
    [EnumMember] Small,
    [EnumMember(Value = "very-large")] Large,
}

[DataContract(Namespace = "urn:postrider:goods")]
public sealed record Goods
{
    [DataMember(Order = 1)] public Guid Id { get; set; }

    [DataMember(Order = 2)] public string? Name { get; set; }

    [DataMember(Order = 3)] public decimal Price { get; set; }

    [DataMember(Order = 4)] public DateTime Made { get; set; }

    [DataMember(Order = 5)] public int? Left { get; set; }

    [DataMember(Order = 6)] public Size Size { get; set; }

    [DataMember(Order = 7)] public byte[]? Picture { get; set; }

    [DataMember(Order = 8)] public List<Part>? Parts { get; set; }

    [DataMember(Order = 9)] public bool IsFragile { get; set; }

    [DataMember(Order = 10)] public double Weight { get; set; }
}

[DataContract(Namespace = "urn:postrider:goods")]
public sealed record Part
{
    [DataMember(Order = 1)] public string? Label { get; set; }

    [DataMember(Order = 2)] public long Number { get; set; }
}

[DataContract(Namespace = "urn:postrider:faults")]
public sealed record SoldOut
{
    [DataMember] public string? Item { get; set; }

    [DataMember] public int Left { get; set; }
}

[XmlSerializable(typeof(IStore))]
internal sealed partial class StoreXml : XmlContext;
