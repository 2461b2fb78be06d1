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

namespace Postrider.SystemTests.Wsdl.Bank;

/// <summary>The contract Bank at http://bank.example/.</summary>
[ServiceContract(Name = "Bank", Namespace = "urn:bank")]
public interface IBank
{
    /// <summary>What is left &amp; owed.</summary>
    [OperationContract(Name = "balance", Action = "")]
    [return: MessageParameter(Name = "return")]
    Task<decimal> BalanceAsync(string? account, CancellationToken ct = default);

    [OperationContract(Name = "transfer", Action = "urn:transfer")]
    [Bare]
    Task<TransferAnswer> TransferAsync([MessageParameter(Name = "TransferRequest")] TransferRequest transferRequest, CancellationToken ct = default);
}

/// <summary>Knows the contract's types.</summary>
[XmlSerializable(typeof(IBank))]
public sealed partial class BankXml : XmlContext;

[DataContract(Name = "transfer", Namespace = "urn:bank")]
public class Transfer
{
    [DataMember(Name = "amount", Order = 0, IsRequired = true)]
    public decimal Amount { get; set; }

    [DataMember(Name = "to", Order = 1, EmitDefaultValue = false)]
    public TransferTo? To { get; set; }
}

[DataContract(Name = "transferTo", Namespace = "urn:bank")]
public class TransferTo
{
    [DataMember(Name = "name", Order = 0, IsRequired = true)]
    public string? Name { get; set; }
}

[DataContract(Name = "TransferRequest", Namespace = "urn:bank")]
public class TransferRequest : Transfer
{
}

[DataContract(Name = "TransferAnswer", Namespace = "urn:bank")]
public class TransferAnswer
{
    [DataMember(Name = "done", Order = 0, IsRequired = true)]
    public bool Done { get; set; }
}
