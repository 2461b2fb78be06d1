using System.Runtime.Serialization;
using System.ServiceModel;
using System.Text.Json.Serialization;
using Postrider.Xml;

namespace Postrider.SystemTests.Rpc;

/// <summary>A contract of WCF's whose operation fails in each way that WCF's exceptions have.</summary>
[ServiceContract(Namespace = "urn:claims")]
public interface IClaims
{
    [OperationContract]
    [FaultContract(typeof(Refusal))]
    string Claim(string how);
}

[DataContract(Namespace = "urn:claims")]
public class Refusal
{
    [DataMember] public string? Why { get; set; }
}

[XmlSerializable(typeof(IClaims))]
internal sealed partial class ClaimsXml : XmlContext;

[JsonSerializable(typeof(Refusal))]
internal sealed partial class ClaimsJson : JsonSerializerContext;

internal sealed class Claims : IClaims
{
    public string Claim(string how) => throw (how switch
    {
        "words" => new FaultException("No."),
        "reason" => new FaultException(new FaultReason("No.")),
        "code" => new FaultException("No.", new FaultCode("Late")),
        "spaced" => new FaultException(new FaultReason("No."), new FaultCode("Late", "urn:codes?a&\"b\"")),
        "receiver" => new FaultException("No.", FaultCode.CreateReceiverFaultCode("Full", "urn:codes")),
        "server" => new FaultException("No.", new FaultCode("Server")),
        "odd" => new FaultException("No.", new FaultCode("a <b>")),
        "detail" => new FaultException<Refusal>(new Refusal { Why = "late" }, new FaultReason("No."), new FaultCode("Late")),
        "bare detail" => new FaultException<Refusal>(new Refusal { Why = "late" }),
        _ => new InvalidOperationException("secret"),
    });
}
