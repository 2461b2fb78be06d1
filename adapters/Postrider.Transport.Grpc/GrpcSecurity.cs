namespace Postrider.Transport.Grpc;

/// <summary>TLS and authentication of a sender. An address with <c>https</c> uses TLS.</summary>
/// <remarks>The receiving side is an endpoint of ASP.NET Core: its listener has the certificate, and
/// <c>MapGrpcTransport(…).RequireAuthorization()</c> demands a caller.</remarks>
public sealed record GrpcSecurity
{
    /// <summary>A file with the certificates (PEM) of the authorities that the server's certificate must come from; null for those of the
    /// system.</summary>
    public string? CaFile { get; set; }

    /// <summary>A file with the client's certificate (PEM); null for none.</summary>
    public string? CertificateFile { get; set; }

    /// <summary>A file with the private key (PEM) of <see cref="CertificateFile"/>.</summary>
    public string? KeyFile { get; set; }

    /// <summary>Returns the bearer token of each call; null for no token. It is called for every attempt and should cache its tokens.</summary>
    /// <remarks>Tokens are sent over TLS only, or to this machine.</remarks>
    public Func<CancellationToken, ValueTask<string>>? Token { get; set; }

    /// <inheritdoc/>
    public override string ToString()
        => $"{(CaFile is null ? "authorities of the system" : $"authorities of '{CaFile}'")}, {(CertificateFile is null ? "no client certificate" : $"certificate '{CertificateFile}'")}, {(Token is null ? "no token" : "a token")}";
}
