using System.Buffers;
using System.Net.Http.Headers;
using System.Text;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>An envelope and its attachments in one body. Source: MTOM (W3C, 2005), XOP, RFC 2387, RFC 2046.</summary>
internal static class MtomPackage
{
    public const string MediaType = "multipart/related";

    private const int MaxParts = 1000;
    private const int MaxHeaderBytes = 16 * 1024;
    private const string Xop = "application/xop+xml";
    private const string EnvelopeId = "envelope@postrider";

    public static string NewBoundary() => "postrider-" + Guid.NewGuid().ToString("N");

    public static string ContentType(string boundary, SoapVersion version, string? action)
        => $"{MediaType}; type=\"{Xop}\"; start=\"<{EnvelopeId}>\"; start-info=\"{Type(version)}\"; boundary=\"{boundary}\"" + (version == SoapVersion.Soap12 && action is not null ? $"; action=\"{action}\"" : "");

    /// <summary>Parses the parameters of a content type; false if it is not that of an envelope with attachments.</summary>
    public static bool TryParse(string? contentType, out string boundary, out string? start)
    {
        (boundary, start) = ("", null);
        if (contentType is null || !contentType.StartsWith(MediaType, StringComparison.OrdinalIgnoreCase) || !MediaTypeHeaderValue.TryParse(contentType, out var parsed))
            return false;
        boundary = Parameter(parsed, "boundary") ?? "";
        start = Parameter(parsed, "start");
        return boundary.Length is > 0 and <= 200 && (Parameter(parsed, "type") ?? Xop).ToUpperInvariant() is "APPLICATION/XOP+XML" or "TEXT/XML" or "APPLICATION/SOAP+XML";
    }

    public static void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> envelope, XmlAttachments attachments, string boundary, SoapVersion version)
    {
        Text(output, $"--{boundary}\r\nContent-Type: {Xop}; charset=utf-8; type=\"{Type(version)}\"\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <{EnvelopeId}>\r\n\r\n");
        output.Write(envelope);
        foreach (var (id, bytes) in attachments.Parts)
        {
            Text(output, $"\r\n--{boundary}\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <{id}>\r\n\r\n");
            output.Write(bytes.Span);
        }

        Text(output, $"\r\n--{boundary}--\r\n");
    }

    /// <summary>Finds the parts of a body.</summary>
    /// <param name="body">The body; the results are slices of it.</param>
    /// <param name="boundary">The boundary between parts.</param>
    /// <param name="start">The id of the envelope with its angle brackets; null for the first part.</param>
    /// <param name="attachments">The other parts.</param>
    /// <returns>The envelope.</returns>
    /// <exception cref="RpcException"><see cref="RpcStatus.InvalidData"/>, <see cref="RpcStatus.TooLarge"/>: it is not such a body.</exception>
    public static ReadOnlyMemory<byte> Read(ReadOnlyMemory<byte> body, string boundary, string? start, out XmlAttachments attachments)
    {
        attachments = new XmlAttachments();
        var delimiter = Encoding.ASCII.GetBytes("\r\n--" + boundary);
        ReadOnlyMemory<byte>? envelope = null;
        var at = body.Span.StartsWith(delimiter.AsSpan(2)) ? delimiter.Length - 2 : After(body.Span, delimiter);
        for (var count = 0; !body.Span[at..].StartsWith("--"u8); count++)
        {
            if (count == MaxParts)
                throw new RpcException(RpcStatus.TooLarge, $"The body has more than {MaxParts} parts.");
            var line = body.Span[at..].IndexOf("\r\n"u8);
            var headers = line < 0 ? -1 : body.Span[(at + line)..].IndexOf("\r\n\r\n"u8);
            if (headers is < 0 or > MaxHeaderBytes || !body.Span.Slice(at, line).Trim(" \t"u8).IsEmpty)
                throw Bad($"The headers of the part at byte {at} are incomplete.");
            var id = ContentId(Encoding.Latin1.GetString(body.Span.Slice(at + line, headers)));
            at += line + headers + 4;

            // The delimiter after an empty part starts with the end of its headers.
            var length = body.Span[(at - 2)..].IndexOf(delimiter) - 2;
            if (length < -2)
                throw Bad($"The part at byte {at} is incomplete.");
            var part = body.Slice(at, Math.Max(length, 0));
            if (envelope is null && (start is null || id == start.Trim().Trim('<', '>')))
                envelope = part;
            else if (id is not null && !attachments.TryAdd(id, part))
                throw Bad($"Two parts have the Content-ID '{id}'.");
            at += length + delimiter.Length;
        }

        return envelope ?? throw Bad("No part is the envelope that 'start' refers to.");
    }

    private static int After(ReadOnlySpan<byte> body, byte[] delimiter)
        => body.IndexOf(delimiter) is >= 0 and var found ? found + delimiter.Length : throw Bad("The body does not contain its boundary.");

    private static string? ContentId(string headers)
    {
        string? id = null;
        foreach (var line in headers.Replace("\r\n ", " ", StringComparison.Ordinal).Replace("\r\n\t", " ", StringComparison.Ordinal).Split("\r\n"))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon < 0)
                continue;
            var value = line[(colon + 1)..].Trim();
            if (line.AsSpan(0, colon).Equals("Content-ID", StringComparison.OrdinalIgnoreCase))
                id = value.Trim('<', '>');
            else if (line.AsSpan(0, colon).Equals("Content-Transfer-Encoding", StringComparison.OrdinalIgnoreCase) && value.ToUpperInvariant() is not ("BINARY" or "8BIT" or "7BIT"))
                throw Bad($"Unsupported Content-Transfer-Encoding '{value}'. Supported: binary, 8bit, 7bit.");
        }

        return id;
    }

    private static string Type(SoapVersion version) => version == SoapVersion.Soap11 ? SoapNames.Type11 : SoapNames.Type12;

    private static string? Parameter(MediaTypeHeaderValue type, string name)
        => type.Parameters.FirstOrDefault(p => p.Name.Equals(name, StringComparison.OrdinalIgnoreCase))?.Value?.Trim('"');

    private static void Text(IBufferWriter<byte> output, string text) => output.Write(Encoding.ASCII.GetBytes(text));

    private static RpcException Bad(string message) => new(RpcStatus.InvalidData, message);
}
