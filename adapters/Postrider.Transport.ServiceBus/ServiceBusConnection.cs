using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Amqp;
using Amqp.Sasl;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.ServiceBus;

/// <summary>The connection of a transport: opened when it is first needed, and again when it was lost.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed partial class ServiceBusConnection(ServiceBusOptions options, ServiceBusConnectionString address, ILogger logger, TimeProvider time) : IAsyncDisposable
{
    // The service sends an empty frame before that; a connection without data for this long is lost.
    private const int IdleMilliseconds = 60_000;

    // Each link has its own session.
    private const ushort MaxSessions = 4999;

    private readonly SemaphoreSlim _opening = new(1); // guards the replacement of _connection
    private readonly X509Certificate2Collection? _authorities = Authorities(options.CaFile);
    private volatile AmqpConnection? _connection;
    private volatile bool _disposed;

    internal bool IsDisposed => _disposed;

    internal ServiceBusOptions Options => options;

    internal ServiceBusConnectionString Address => address;

    internal ILogger Logger => logger;

    internal TimeProvider Time => time;

    internal string Server => address.Server;

    /// <summary>The open connection.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the certificate is not trusted, or the service
    /// rejects the connection.</exception>
    internal async ValueTask<AmqpConnection> OpenAsync(CancellationToken ct)
    {
        if (_connection is { IsOpen: true } open)
            return open;
        await _opening.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_connection is { IsOpen: true } opened)
                return opened;
            ObjectDisposedException.ThrowIf(_disposed, typeof(ServiceBusTransport));
            if (_connection is { } lost)
                await lost.DisposeAsync().ConfigureAwait(false);
            var connection = await ConnectAsync(ct).ConfigureAwait(false);
            if (options.Observability.LogProfiles && _connection is null)
                LogProfiles(logger, Server, options.Throughput, options.Retry, options.Poison, options.Observability);
            return _connection = new AmqpConnection(connection, this);
        }
        finally
        {
            _opening.Release();
        }
    }

    /// <summary>A token for an audience.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the provider returned an expired one.</exception>
    internal async ValueTask<ServiceBusToken> TokenAsync(string audience, CancellationToken ct)
    {
        if (options.TokenProvider is { } provider)
        {
            var token = await provider(audience, ct).ConfigureAwait(false);
            return token.ExpiresAt > time.GetUtcNow()
                ? token
                : throw new PostriderException(PostriderError.Configuration, $"ServiceBusOptions.TokenProvider returned a token for '{audience}' that expired at {token.ExpiresAt.UtcDateTime:O}.");
        }

        return address.Signature is { } signature
            ? new ServiceBusToken(signature, SharedAccessSignature.ExpiryOf(signature) ?? time.GetUtcNow() + options.TokenLifetime)
            : SharedAccessSignature.Create(audience, address.KeyName!, address.Key!, time.GetUtcNow() + options.TokenLifetime);
    }

    /// <summary>Rejects a queue or topic for which the connection string is not valid.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal void CheckEntity(string entity)
    {
        if (address.EntityPath is { } only && !ServiceBusEntity.Same(ServiceBusEntity.DestinationOf(entity), only))
            throw new PostriderException(PostriderError.Configuration, $"'{entity}' is used with a connection string for '{only}' (EntityPath): use the namespace's connection string, or a separate transport for each queue.");
    }

    public async ValueTask DisposeAsync()
    {
        _disposed = true;
        await _opening.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            if (_connection is { } connection)
                await connection.DisposeAsync().ConfigureAwait(false);
            _connection = null;
        }
        finally
        {
            _opening.Release();
        }
    }

    private async Task<Connection> ConnectAsync(CancellationToken ct)
    {
        var factory = new ConnectionFactory();
        factory.AMQP.ContainerId = $"{options.ClientName ?? "postrider"}-{Guid.NewGuid():N}";
        factory.AMQP.HostName = address.Endpoint.Host;
        factory.AMQP.IdleTimeout = IdleMilliseconds;
        factory.AMQP.MaxSessionsPerConnection = MaxSessions;
        factory.SASL.Profile = SaslProfile.Anonymous;
        if (!address.IsEmulator)
            factory.SSL.RemoteCertificateValidationCallback = IsTrusted;
        var target = new Address(address.Endpoint.Host, address.Port, null, null, "/", address.IsEmulator ? "amqp" : "amqps");
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(options.Retry.AnswerTimeout);
        try
        {
            // The handshakes of TLS and SASL have no timeout of their own.
            return await factory.CreateAsync(target, limit.Token).WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException late) when (!ct.IsCancellationRequested)
        {
            throw new TimeoutException($"Service Bus at {Server} did not answer within {options.Retry.AnswerTimeout}.", late);
        }
        catch (Exception failure)
        {
            if (ServiceBusErrors.OfConnection(failure, Server) is var named && ReferenceEquals(named, failure))
                throw;
            throw named;
        }
    }

    private bool IsTrusted(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors == SslPolicyErrors.None)
            return true;
        if (_authorities is null || certificate is null || (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != 0)
            return false;
        using var own = new X509Chain();
        own.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        own.ChainPolicy.CustomTrustStore.AddRange(_authorities);
        own.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        if (chain is not null)
            own.ChainPolicy.ExtraStore.AddRange(chain.ChainPolicy.ExtraStore);
        using var leaf = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
        return own.Build(leaf);
    }

    private static X509Certificate2Collection? Authorities(string? file)
    {
        if (file is null)
            return null;
        var authorities = new X509Certificate2Collection();
        authorities.ImportFromPemFile(file);
        return authorities;
    }

    [LoggerMessage(1, LogLevel.Information, "Connected to Service Bus at {Server}. Effective profiles: {Throughput}; {Retry}; {Poison}; {Observability}.")]
    private static partial void LogProfiles(ILogger logger, string server, ServiceBusThroughput throughput, ServiceBusRetry retry, ServiceBusPoison poison, ServiceBusObservability observability);
}
