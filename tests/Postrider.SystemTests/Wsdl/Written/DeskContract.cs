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

namespace Postrider.SystemTests.Wsdl.Desk;

/// <summary>The contract IDesk at http://desk.example/desk.svc.</summary>
[ServiceContract(Name = "IDesk", Namespace = "http://tempuri.org/")]
public interface IDesk
{
    [OperationContract]
    [FaultContract(typeof(SoldOut))]
    DateTime Place(Order? order, ref int count, out int? left);

    [OperationContract(Action = "urn:tell", IsOneWay = true)]
    Task TellAsync(string? @event);
}

/// <summary>Knows the contract's types.</summary>
[XmlSerializable(typeof(IDesk))]
public sealed partial class DeskXml : XmlContext;

[KnownType(typeof(Rush))]
[DataContract(Name = "Order", Namespace = "urn:data")]
public class Order
{
    [DataMember(Name = "Id", Order = 0, IsRequired = true)]
    public Guid Id { get; set; }

    [DataMember(Name = "Kind", Order = 1)]
    public Kind Kind { get; set; }

    [DataMember(Name = "Lines", Order = 2, EmitDefaultValue = false)]
    public ArrayOfLine? Lines { get; set; }

    [DataMember(Name = "Paid", Order = 3, EmitDefaultValue = false)]
    public decimal? Paid { get; set; }
}

[DataContract(Name = "Kind", Namespace = "urn:data")]
public enum Kind
{
    [EnumMember(Value = "Plain")] Plain,
    [EnumMember(Value = "gift-wrapped")] GiftWrapped,
}

[CollectionDataContract(Name = "ArrayOfLine", Namespace = "urn:data", ItemName = "Line")]
public class ArrayOfLine : List<Line?>;

[DataContract(Name = "Line", Namespace = "urn:data")]
public class Line
{
    [DataMember(Name = "class", Order = 0, EmitDefaultValue = false)]
    public string? Class { get; set; }
}

[DataContract(Name = "SoldOut", Namespace = "urn:data")]
public class SoldOut
{
    [DataMember(Name = "Left", Order = 0)]
    public int Left { get; set; }
}

[DataContract(Name = "Rush", Namespace = "urn:data")]
public class Rush : Order
{
    [DataMember(Name = "Until", Order = 0)]
    public DateTime Until { get; set; }
}
