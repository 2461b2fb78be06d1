using System.Text;

namespace Postrider.Rpc.Soap;

/// <summary>Namespaces, actions and content types of SOAP.</summary>
internal static class SoapNames
{
    public const string Envelope11 = "http://schemas.xmlsoap.org/soap/envelope/";
    public const string Envelope12 = "http://www.w3.org/2003/05/soap-envelope";
    public const string Type11 = "text/xml";
    public const string Type12 = "application/soap+xml";

    public static ReadOnlySpan<byte> EnvelopeNamespace(SoapVersion version)
        => version == SoapVersion.Soap11 ? "http://schemas.xmlsoap.org/soap/envelope/"u8 : "http://www.w3.org/2003/05/soap-envelope"u8;

    /// <summary>The content type of a message.</summary>
    public static string ContentType(SoapVersion version) => version == SoapVersion.Soap11 ? Type11 + "; charset=utf-8" : Type12 + "; charset=utf-8";

    /// <summary>The action of a call, with which WCF distinguishes operations.</summary>
    public static string Action(Operation operation) => operation.Action ?? $"{Base(operation)}{operation.Contract ?? operation.Service}/{operation.Name}";

    /// <summary>The action of a response.</summary>
    public static string ReplyAction(Operation operation) => operation.ReplyAction ?? $"{Base(operation)}{operation.Contract ?? operation.Service}/{operation.Name}Response";

    public static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    // As in WCF: a slash between the parts whatever the namespace is, even a URN.
    private static string Base(Operation operation)
        => operation.Namespace.Length == 0 || operation.Namespace.EndsWith('/') ? operation.Namespace : operation.Namespace + "/";
}
