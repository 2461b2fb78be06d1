using System.Text;
using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Server;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>The body of a request: an envelope, alone or with attachments, perhaps in gzip.</summary>
internal sealed class SoapBody
{
    private string _boundary = "";
    private string? _start;
    private string? _charset;

    private SoapBody()
    {
    }

    /// <summary>The version in the content type; null if the envelope determines it.</summary>
    public SoapVersion? Version { get; private init; }

    /// <summary>The version of a fault if the envelope cannot be read.</summary>
    public SoapVersion Presumed { get; private init; }

    /// <summary>The action beside the envelope, or null.</summary>
    public string? Action { get; private init; }

    /// <summary>It is an envelope with attachments.</summary>
    public bool IsPackage { get; private init; }

    private bool IsPacked { get; init; }

    /// <summary>The description of the request's body; null if the body cannot be read.</summary>
    public static SoapBody? From(HttpRequest request)
    {
        var encoding = request.Headers.ContentEncoding.ToString().Trim();
        var isPacked = encoding.Equals(GzipBody.Name, StringComparison.OrdinalIgnoreCase);
        if (!isPacked && encoding.Length > 0 && !encoding.Equals("identity", StringComparison.OrdinalIgnoreCase))
            return null;
        var type = MediaTypes.WithoutParameters(request.ContentType);
        var charset = MediaTypes.ForeignCharset(request.ContentType);
        if (type.Equals(SoapNames.Type11, StringComparison.OrdinalIgnoreCase))
            return new SoapBody { _charset = charset, Version = SoapVersion.Soap11, Action = request.Headers["SOAPAction"].ToString().Trim().Trim('"'), IsPacked = isPacked };
        if (type.Equals(SoapNames.Type12, StringComparison.OrdinalIgnoreCase))
            return new SoapBody { _charset = charset, Version = SoapVersion.Soap12, Presumed = SoapVersion.Soap12, Action = ActionOf(request.ContentType), IsPacked = isPacked };
        if (!MtomPackage.TryParse(request.ContentType, out var boundary, out var start))
            return null;
        return new SoapBody { Action = ActionOf(request.ContentType) ?? request.Headers["SOAPAction"].ToString().Trim().Trim('"'), IsPackage = true, Presumed = PackedVersion(request.ContentType) ?? SoapVersion.Soap11, IsPacked = isPacked, _boundary = boundary, _start = start };
    }

    /// <summary>Receives the body and reads the call in it.</summary>
    /// <exception cref="RpcException">It is too large, or not a valid call.</exception>
    public async ValueTask<(SoapCall Call, SoapRequest? Request, SoapVersion Version)> ReadAsync(HttpContext http, SoapReader reader, int maxBytes)
    {
        if (IsPacked)
        {
            if (http.Request.ContentLength > maxBytes)
                throw new RpcException(RpcStatus.TooLarge, $"An envelope of {http.Request.ContentLength} bytes exceeds the limit {maxBytes}.");
            return Read(reader, await GzipBody.UnpackAsync(http.Request.Body, maxBytes, http.RequestAborted).ConfigureAwait(false));
        }

        var body = await ContiguousBody.ReceiveAsync(http, maxBytes).ConfigureAwait(false);
        try
        {
            return Read(reader, body.Bytes);
        }
        finally
        {
            body.Release();
        }
    }

    private (SoapCall Call, SoapRequest? Request, SoapVersion Version) Read(SoapReader reader, ReadOnlyMemory<byte> bytes)
    {
        XmlAttachments? attachments = null;
        if (IsPackage)
            bytes = MtomPackage.Read(bytes, _boundary, _start, out attachments);
        if (_charset is not null && Utf16(_charset) is { } utf16)
            bytes = ToUtf8(bytes, utf16);
        else if (_charset is not null && !Ascii.IsValid(bytes.Span))
            throw new RpcException(RpcStatus.InvalidData, $"Unsupported charset '{_charset}'. Supported: utf-8, utf-16.");
        return reader.Read(bytes.Span, Version, Action, attachments);
    }

    // The version in a package's content type, in 'start-info' (MTOM) or 'type'.
    private static SoapVersion? PackedVersion(string? contentType)
        => contentType?.Contains(SoapNames.Type12, StringComparison.OrdinalIgnoreCase) == true ? SoapVersion.Soap12 : null;

    private static UnicodeEncoding? Utf16(string charset) => charset.ToUpperInvariant() switch
    {
        "UTF-16" or "UTF-16LE" or "UNICODE" => new UnicodeEncoding(bigEndian: false, byteOrderMark: true, throwOnInvalidBytes: true),
        "UTF-16BE" or "UNICODEFFFE" => new UnicodeEncoding(bigEndian: true, byteOrderMark: true, throwOnInvalidBytes: true),
        _ => null,
    };

    private static ReadOnlyMemory<byte> ToUtf8(ReadOnlyMemory<byte> bytes, UnicodeEncoding encoding)
    {
        var span = bytes.Span;
        if (span is [0xFE, 0xFF, ..] or [0xFF, 0xFE, ..])
        {
            encoding = Utf16(span[0] == 0xFE ? "UTF-16BE" : "UTF-16")!;
            span = span[2..];
        }

        try
        {
            // The declaration names the original encoding.
            var text = encoding.GetString(span);
            var declaration = text.StartsWith("<?xml ", StringComparison.Ordinal) ? text.IndexOf("?>", StringComparison.Ordinal) : -1;
            return Encoding.UTF8.GetBytes(declaration < 0 ? text : text[(declaration + 2)..]);
        }
        catch (DecoderFallbackException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, "The envelope is not valid UTF-16.", bad);
        }
    }

    private static string? ActionOf(string? contentType)
        => System.Net.Http.Headers.MediaTypeHeaderValue.TryParse(contentType, out var type)
            ? type.Parameters.FirstOrDefault(p => p.Name.Equals("action", StringComparison.OrdinalIgnoreCase))?.Value?.Trim('"')
            : null;
}
