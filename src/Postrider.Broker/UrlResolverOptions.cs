namespace Postrider.Broker;

/// <summary>Fetches tokens of accounts over HTTP: the public key is appended to an address.</summary>
public sealed record UrlResolverOptions : AccountResolverOptions
{
    /// <summary>The address, <c>http</c> or <c>https</c>; a missing slash at the end is appended. It is checked once at the start.</summary>
    public required Uri Url { get; init; }

    /// <summary>File with the authorities of the server's certificate, in PEM format; null uses the system's.</summary>
    public string? CaFile { get; init; }

    /// <summary>File with the certificate that the broker presents, in PEM format; null for none.</summary>
    public string? CertFile { get; init; }

    /// <summary>File with that certificate's private key, in PEM format.</summary>
    public string? KeyFile { get; init; }

    /// <summary>Maximum time of a request. Default 1.9 s.</summary>
    public TimeSpan Timeout { get; init; } = DefaultTimeout;

    /// <inheritdoc/>
    internal override string Kind => "URL";
}
