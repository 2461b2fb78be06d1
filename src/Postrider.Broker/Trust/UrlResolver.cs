using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>Fetches the tokens of accounts over HTTP.</summary>
/// <remarks>Responses are limited in size and time. Fetched tokens are cached by the caller. Source: nats-server, account resolvers.</remarks>
internal sealed class UrlResolver : IAccountResolver
{
    private readonly HttpClient _http;
    private readonly Uri _url;

    /// <summary>Creates a resolver; sends no request yet.</summary>
    /// <param name="options">Valid options.</param>
    /// <exception cref="TlsFileException">A file named in the options cannot be used; the message names it.</exception>
    public UrlResolver(UrlResolverOptions options)
    {
        var text = options.Url.AbsoluteUri;
        _url = text.EndsWith('/') ? options.Url : new Uri(text + "/");
        _http = new HttpClient(CreateHandler(options)) { Timeout = options.Timeout, MaxResponseContentBufferSize = NatsJwt.MaxTokenLength };
    }

    /// <inheritdoc/>
    /// <remarks>With an empty key the request only checks whether the server responds.</remarks>
    public async ValueTask<string?> FetchAsync(string key, CancellationToken ct)
    {
        var address = new Uri(_url, key);
        try
        {
            using var answer = await _http.GetAsync(address, ct).ConfigureAwait(false);
            if (answer.StatusCode != HttpStatusCode.OK) throw new AccountLookupException($"could not fetch <{Describe(address)}>: {(int)answer.StatusCode} {answer.ReasonPhrase}");
            return (await answer.Content.ReadAsStringAsync(ct).ConfigureAwait(false)).Trim();
        }
        catch (Exception error) when (error is HttpRequestException or TaskCanceledException or InvalidOperationException && !ct.IsCancellationRequested)
        {
            throw new AccountLookupException($"could not fetch <{Describe(address)}>: {error.InnerException?.Message ?? error.Message}", error);
        }
    }

    /// <inheritdoc/>
    public void Store(string key, string token) => throw new AccountLookupException("store operation not supported for URL Resolver");

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private static SocketsHttpHandler CreateHandler(UrlResolverOptions options)
    {
        var handler = new SocketsHttpHandler { PooledConnectionLifetime = TimeSpan.FromMinutes(5), PooledConnectionIdleTimeout = TimeSpan.FromSeconds(30), MaxConnectionsPerServer = 64 };
        if (options.CaFile is { Length: > 0 } authorities)
        {
            var trusted = new X509Certificate2Collection();
            trusted.ImportFromPem(PemFiles.Read(authorities));
            handler.SslOptions.CertificateChainPolicy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            handler.SslOptions.CertificateChainPolicy.CustomTrustStore.AddRange(trusted);
        }
        if (options.CertFile is { Length: > 0 } certificate) handler.SslOptions.ClientCertificateContext = ReadPair(certificate, options.KeyFile ?? "");
        return handler;
    }

    private static SslStreamCertificateContext ReadPair(string certificate, string key)
    {
        try
        {
            return PemFiles.ReadPair(certificate, key, "");
        }
        catch (CryptographicException error)
        {
            throw new TlsFileException($"error parsing X509 certificate/key pair: {error.Message}", error);
        }
    }

    // Without user name and password.
    private static string Describe(Uri address) => GoQuote.Quote(address.GetComponents(UriComponents.AbsoluteUri & ~UriComponents.UserInfo, UriFormat.UriEscaped));
}
