using System.Text;
using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Soap;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Server.Soap;

/// <summary>The body of a request: an envelope, alone or with attachments, perhaps in gzip.</summary>
internal sealed class SoapBody
{
    private string _boundary = "";
    private string? _start;
    private string? _charset;

    private SoapBody()
    {
    }

    /// <summary>The version that the content type says; null when the envelope's own counts.</summary>
    public SoapVersion? Version { get; private init; }

    /// <summary>The action beside the envelope, or null.</summary>
    public string? Action { get; private init; }

    /// <summary>It is an envelope with attachments.</summary>
    public bool IsPackage { get; private init; }

    private bool IsPacked { get; init; }

    /// <summary>What a request says of its body; null when it is none that can be read.</summary>
    public static SoapBody? Of(HttpRequest request)
    {
        var encoding = request.Headers.ContentEncoding.ToString().Trim();
        var isPacked = encoding.Equals(SoapCompression.Name, StringComparison.OrdinalIgnoreCase);
        if (!isPacked && encoding.Length > 0 && !encoding.Equals("identity", StringComparison.OrdinalIgnoreCase))
            return null;
        var type = MediaTypes.WithoutParameters(request.ContentType);
        var charset = CharsetOf(request.ContentType);
        if (type.Equals(SoapNames.Type11, StringComparison.OrdinalIgnoreCase))
            return new SoapBody { _charset = charset, Version = SoapVersion.Soap11, Action = request.Headers["SOAPAction"].ToString().Trim().Trim('"'), IsPacked = isPacked };
        if (type.Equals(SoapNames.Type12, StringComparison.OrdinalIgnoreCase))
            return new SoapBody { _charset = charset, Version = SoapVersion.Soap12, Action = ActionOf(request.ContentType), IsPacked = isPacked };
        if (!SoapPackage.TryParse(request.ContentType, out var boundary, out var start))
            return null;
        return new SoapBody { Action = ActionOf(request.ContentType) ?? request.Headers["SOAPAction"].ToString().Trim().Trim('"'), IsPackage = true, IsPacked = isPacked, _boundary = boundary, _start = start };
    }

    /// <summary>Receives the body and reads the call in it.</summary>
    /// <exception cref="RpcException">It is too large, or no call that can be made.</exception>
    public async ValueTask<(SoapCall Call, SoapRequest? Request, SoapVersion Version)> ReadAsync(HttpContext http, SoapReader reader, int mostBytes)
    {
        if (IsPacked)
        {
            if (http.Request.ContentLength > mostBytes)
                throw new RpcException(RpcStatus.TooLarge, $"An envelope of {http.Request.ContentLength} bytes exceeds the limit {mostBytes}.");
            return Read(reader, await SoapCompression.UnpackAsync(http.Request.Body, mostBytes, http.RequestAborted).ConfigureAwait(false));
        }

        var body = await WholeBody.ReceiveAsync(http, mostBytes).ConfigureAwait(false);
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
            bytes = SoapPackage.Read(bytes, _boundary, _start, out attachments);
        if (_charset is not null && !Ascii.IsValid(bytes.Span))
            throw new RpcException(RpcStatus.InvalidData, $"The Content-Type says that the envelope is in '{_charset}', and it holds more than ASCII; UTF-8 is read.");
        return reader.Read(bytes.Span, Version, Action, attachments);
    }

    /// <summary>The encoding that a content type says, where it is another than what is read.</summary>
    private static string? CharsetOf(string? contentType)
        => contentType is not null && contentType.Contains("charset", StringComparison.OrdinalIgnoreCase) && !contentType.EndsWith("charset=utf-8", StringComparison.OrdinalIgnoreCase)
            && System.Net.Http.Headers.MediaTypeHeaderValue.TryParse(contentType, out var type) && type.CharSet?.Trim('"') is { Length: > 0 } charset
            && !charset.Equals("utf-8", StringComparison.OrdinalIgnoreCase) && !charset.Equals("us-ascii", StringComparison.OrdinalIgnoreCase) ? charset : null;

    private static string? ActionOf(string? contentType)
        => System.Net.Http.Headers.MediaTypeHeaderValue.TryParse(contentType, out var type)
            ? type.Parameters.FirstOrDefault(p => p.Name.Equals("action", StringComparison.OrdinalIgnoreCase))?.Value?.Trim('"')
            : null;
}
