// Written by 'postrider wsdl2cs'. References: Postrider.Compat.ServiceModel; generators: Postrider.Rpc.Generator, Postrider.Xml.Generator.
#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using System.ServiceModel;
using System.Threading;
using System.Threading.Tasks;
using Postrider.Rpc;
using Postrider.Xml;

namespace Postrider.InteropTests.Soap.Written;

/// <summary>The contract Store at http://localhost/store.svc.</summary>
[ServiceContract(Name = "Store", Namespace = "urn:postrider:store")]
public interface IStore
{
    [OperationContract]
    Task<int> AddAsync(int a, int b, CancellationToken ct = default);

    [OperationContract]
    Task<Goods?> EchoAsync(Goods? goods, CancellationToken ct = default);

    [OperationContract]
    Task<ArrayOfstring?> ReverseAsync(ArrayOfstring? items, CancellationToken ct = default);

    [OperationContract]
    [FaultContract(typeof(SoldOut))]
    Task<int> BuyAsync(string? item, int count, CancellationToken ct = default);

    [OperationContract]
    Task<string?> WhoAmIAsync(CancellationToken ct = default);

    [OperationContract(IsOneWay = true)]
    Task NoteAsync(string? text);
}

/// <summary>Knows the contract's types.</summary>
[XmlSerializable(typeof(IStore))]
public sealed partial class StoreXml : XmlContext;

[DataContract(Name = "Goods", Namespace = "urn:postrider:goods")]
public class Goods
{
    [DataMember(Name = "Id", Order = 0)]
    public Guid Id { get; set; }

    [DataMember(Name = "Name", Order = 1, EmitDefaultValue = false)]
    public string? Name { get; set; }

    [DataMember(Name = "Price", Order = 2)]
    public decimal Price { get; set; }

    [DataMember(Name = "Made", Order = 3)]
    public DateTime Made { get; set; }

    [DataMember(Name = "Left", Order = 4, EmitDefaultValue = false)]
    public int? Left { get; set; }

    [DataMember(Name = "Size", Order = 5)]
    public Size Size { get; set; }

    [DataMember(Name = "Picture", Order = 6, EmitDefaultValue = false)]
    public byte[]? Picture { get; set; }

    [DataMember(Name = "Parts", Order = 7, EmitDefaultValue = false)]
    public ArrayOfPart? Parts { get; set; }

    [DataMember(Name = "IsFragile", Order = 8)]
    public bool IsFragile { get; set; }

    [DataMember(Name = "Weight", Order = 9)]
    public double Weight { get; set; }
}

[DataContract(Name = "Size", Namespace = "urn:postrider:goods")]
public enum Size
{
    [EnumMember(Value = "Small")] Small,
    [EnumMember(Value = "very-large")] VeryLarge,
}

[CollectionDataContract(Name = "ArrayOfPart", Namespace = "urn:postrider:goods", ItemName = "Part")]
public class ArrayOfPart : List<Part?>;

[DataContract(Name = "Part", Namespace = "urn:postrider:goods")]
public class Part
{
    [DataMember(Name = "Label", Order = 0, EmitDefaultValue = false)]
    public string? Label { get; set; }

    [DataMember(Name = "Number", Order = 1)]
    public long Number { get; set; }
}

[CollectionDataContract(Name = "ArrayOfstring", Namespace = "http://schemas.microsoft.com/2003/10/Serialization/Arrays", ItemName = "string")]
public class ArrayOfstring : List<string?>;

[DataContract(Name = "SoldOut", Namespace = "urn:postrider:faults")]
public class SoldOut
{
    [DataMember(Name = "Item", Order = 0, EmitDefaultValue = false)]
    public string? Item { get; set; }

    [DataMember(Name = "Left", Order = 1)]
    public int Left { get; set; }
}
