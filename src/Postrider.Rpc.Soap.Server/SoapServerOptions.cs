using System.Security.Claims;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Options for serving contracts over SOAP.</summary>
public sealed record SoapServerOptions
{
    /// <summary>The maximum size of an envelope with its attachments, in bytes after decompression. Kestrel's own limit applies as
    /// well.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The limits for reading; null for the defaults.</summary>
    public XmlLimits? Limits { get; init; }

    /// <summary>Checks the username and password of a call and returns its user; null rejects the call. If set, calls without credentials
    /// or without TLS are rejected. Null disables authentication.</summary>
    public Func<UsernameToken, CancellationToken, ValueTask<ClaimsPrincipal?>>? Authenticate { get; init; }

    /// <summary>Whether responses of 1 KiB and more are compressed with gzip for clients that accept it.</summary>
    public bool Compresses { get; init; }

    /// <summary>Whether callers receive the messages of exceptions that the contract does not declare. For development only.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>The service address in the WSDL; null to derive it from the request.</summary>
    public Uri? PublicAddress { get; init; }

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
