using System.Security.Claims;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>How contracts are served by SOAP.</summary>
public sealed class SoapServerOptions
{
    /// <summary>The largest envelope with its attachments, in bytes, unpacked; Kestrel's own limit holds besides.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Bounds what is read; null for the defaults.</summary>
    public XmlLimits? Limits { get; init; }

    /// <summary>Checks the name and password of a call, and gives who it is, whom the request has as its user; null refuses it. When this is
    /// set, a call without them or without TLS is refused. Null when callers are not asked.</summary>
    public Func<UsernameToken, CancellationToken, ValueTask<ClaimsPrincipal?>>? Authenticate { get; init; }

    /// <summary>Answers of 1 KiB and more go in gzip to whoever accepts it.</summary>
    public bool Compresses { get; init; }

    /// <summary>Callers see the text of exceptions that the contract does not name: for development.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>The address that WSDL names; null for the one that it was asked at, by the request's own headers.</summary>
    public Uri? PublicAddress { get; init; }

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
