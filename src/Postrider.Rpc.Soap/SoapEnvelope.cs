using System.Text;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>Envelopes around messages. Source: SOAP 1.1 (W3C note of 2000), SOAP 1.2 (second edition), WS-Addressing 1.0.</summary>
internal static class SoapEnvelope
{
    private const int MaxHeaders = 64;

    public static void Begin(ref ElementWriter writer, in SoapHeader header, ReadOnlySpan<byte> space)
    {
        writer.WriteRaw(header.Version == SoapVersion.Soap11
            ? "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"u8
            : "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">"u8);
        if (!header.IsEmpty)
        {
            writer.WriteRaw("<s:Header>"u8);
            SoapAddressing.Write(ref writer, header);
            if (header.Token is not null)
                SoapSecurity.Write(ref writer, header.Token, header.Now);
            if (header.Headers is not null)
            {
                foreach (var (name, value) in header.Headers)
                {
                    if (!IsBlock(name))
                        continue;
                    var element = Encoding.UTF8.GetBytes(name);
                    var outer = writer.StartIn(element, space);
                    writer.WriteText(value);
                    writer.EndIn(element, outer);
                }
            }

            writer.WriteRaw("</s:Header>"u8);
        }

        writer.WriteRaw("<s:Body>"u8);
    }

    public static void End(ref ElementWriter writer) => writer.WriteRaw("</s:Body></s:Envelope>"u8);

    /// <summary>Whether a header can be an element: other headers are sent outside the envelope.</summary>
    public static bool IsBlock(string name) => char.IsAsciiLetter(name[0]) || name[0] == '_';

    /// <summary>Moves to the root and into it.</summary>
    public static SoapVersion Enter(ref ElementReader reader, out OpenElement envelope)
    {
        reader.MoveToRoot();
        var version = reader.Is("Envelope"u8, SoapNames.EnvelopeNamespace(SoapVersion.Soap11)) ? SoapVersion.Soap11
            : reader.Is("Envelope"u8, SoapNames.EnvelopeNamespace(SoapVersion.Soap12)) ? SoapVersion.Soap12
            : throw new RpcException(RpcStatus.Unsupported, $"The root element is {reader.Describe()}, not the Envelope of SOAP 1.1 or 1.2.");
        envelope = reader.Enter();
        return version;
    }

    /// <summary>Moves past the headers to the body, into it, and to its first element.</summary>
    /// <returns>False when the body is empty.</returns>
    public static bool MoveToBody(ref ElementReader reader, in OpenElement envelope, SoapVersion version, ReadOnlySpan<byte> space, out SoapRequest? request, out OpenElement body)
    {
        request = null;
        while (reader.MoveToChild(envelope))
        {
            if (reader.Is("Body"u8, SoapNames.EnvelopeNamespace(version)))
            {
                body = reader.Enter();
                return reader.MoveToChild(body);
            }

            if (request is not null || !reader.Is("Header"u8, SoapNames.EnvelopeNamespace(version)))
                throw new RpcException(RpcStatus.InvalidData, $"Unexpected {reader.Describe()} in the envelope; expected Body.");
            request = new SoapRequest();
            Headers(ref reader, request, version, space);
        }

        throw new RpcException(RpcStatus.InvalidData, "The envelope has no Body.");
    }

    /// <summary>Reads to the end of the envelope, after the body's first element.</summary>
    public static void Leave(ref ElementReader reader, in OpenElement envelope, in OpenElement body)
    {
        if (reader.MoveToChild(body))
            throw new RpcException(RpcStatus.InvalidData, $"Unexpected second element {reader.Describe()} in the Body.");
        End(ref reader, envelope);
    }

    /// <summary>Reads to the end of the envelope, after the body.</summary>
    public static void End(ref ElementReader reader, in OpenElement envelope)
    {
        while (reader.MoveToChild(envelope))
            reader.Skip();
        reader.MoveToEnd();
    }

    private static void Headers(ref ElementReader reader, SoapRequest request, SoapVersion version, ReadOnlySpan<byte> space)
    {
        var envelope = SoapNames.EnvelopeNamespace(version);
        var count = 0;
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (++count > MaxHeaders)
                throw new RpcException(RpcStatus.TooLarge, $"The envelope has more than {MaxHeaders} header blocks.");
            if (!IsForUs(ref reader, envelope, version))
            {
                reader.Skip();
                continue;
            }

            var isDemanded = reader.TryGetAttribute("mustUnderstand"u8, envelope, out var must) && (must.SequenceEqual("1"u8) || must.SequenceEqual("true"u8));
            if (reader.IsIn(SoapAddressing.Space))
            {
                SoapAddressing.Read(ref reader, request);
                continue;
            }

            if (SoapSecurity.IsAt(ref reader))
            {
                request.DemandsSecurity |= isDemanded;
                request.Security = request.Security is null ? SoapSecurity.Read(ref reader)
                    : throw new SoapFaultException(RpcStatus.InvalidData, SoapFaultException.Security, "InvalidSecurity", "Security occurs twice.");
                continue;
            }

            var name = Encoding.UTF8.GetString(reader.LocalName);
            if (isDemanded && reader.IsIn(space))
                request.Demanded = name;
            else if (isDemanded)
                request.NotUnderstood ??= reader.Describe();
            if (reader.TryReadText(out var text) && RpcHeaders.IsName(name) && RpcHeaders.IsValue(text))
                (request.Headers ??= [])[name] = text;
        }
    }

    private static bool IsForUs(ref ElementReader reader, ReadOnlySpan<byte> envelope, SoapVersion version)
        => version == SoapVersion.Soap11
            ? !reader.TryGetAttribute("actor"u8, envelope, out var actor) || actor.IsEmpty || actor.SequenceEqual("http://schemas.xmlsoap.org/soap/actor/next"u8)
            : !reader.TryGetAttribute("role"u8, envelope, out var role) || role.IsEmpty || role.EndsWith("/role/next"u8) || role.EndsWith("/role/ultimateReceiver"u8);
}
