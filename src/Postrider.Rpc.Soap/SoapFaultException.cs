namespace Postrider.Rpc.Soap;

/// <summary>A failure that SOAP or one of its extensions has a code for.</summary>
/// <param name="status">The status of the call.</param>
/// <param name="space">The code's namespace; null for the envelope's.</param>
/// <param name="code">The code.</param>
/// <param name="message">The reason as text.</param>
internal sealed class SoapFaultException(RpcStatus status, string? space, string code, string message) : RpcException(status, message)
{
    public const string Addressing = "http://www.w3.org/2005/08/addressing";
    public const string Security = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

    public string? Space => space;

    public string Code => code;

    public static SoapFaultException NotUnderstood(string block)
        => new(RpcStatus.Unsupported, null, "MustUnderstand", $"The mandatory header {block} is not understood.");
}
