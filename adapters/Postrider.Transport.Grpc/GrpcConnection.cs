using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.Grpc;

/// <summary>The sending side of a transport: one channel, a limited number of calls, and whether the server rejects the credentials.</summary>
/// <remarks>Thread-safe. The channel connects when it is first used.</remarks>
internal sealed partial class GrpcConnection : IDisposable
{
    private readonly GrpcOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _inFlight;
    private readonly GrpcChannel? _channel;
    private readonly Inbox.InboxClient? _client;
    private volatile Refusal? _refusal;
    private int _logged;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a certificate cannot be read.</exception>
    internal GrpcConnection(GrpcOptions options, ILogger logger, TimeProvider time)
    {
        (_options, _logger, _time) = (options, logger, time);
        _inFlight = new(options.Throughput.MaxInFlight);
        if (options.Address is null)
            return;
        _channel = GrpcChannel.ForAddress(options.Address, new GrpcChannelOptions
        {
            HttpHandler = Handler(options),
            DisposeHttpClient = true,
            MaxReceiveMessageSize = GrpcTransport.MaxMessageBytes(options),
            MaxSendMessageSize = null,
        });
        _client = new Inbox.InboxClient(_channel);
    }

    internal GrpcOptions Options => _options;

    internal TimeProvider Time => _time;

    internal bool IsDisposed { get; private set; }

    /// <summary>The server.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: there is none.</exception>
    internal Uri Address => _options.Address ?? throw new PostriderException(PostriderError.Configuration, "The transport 'grpc' has no Address to send to: set GrpcOptions.Address, or send over another transport.");

    /// <summary>Calls the server.</summary>
    /// <typeparam name="T">The response.</typeparam>
    /// <param name="call">The call.</param>
    /// <param name="previousAttempts">The number of attempts before.</param>
    /// <param name="deadline">The message's own deadline; null for none.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the server has rejected the credentials.</exception>
    /// <exception cref="RpcException">The call failed.</exception>
    internal async ValueTask<T> CallAsync<T>(Func<Inbox.InboxClient, CallOptions, AsyncUnaryCall<T>> call, int previousAttempts, DateTimeOffset? deadline, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        ObjectDisposedException.ThrowIf(IsDisposed, typeof(GrpcTransport));
        if (_refusal is { } refusal && _time.GetUtcNow() < refusal.Until)
            throw GrpcErrors.Refused(Address, refusal.Reason, cause: null);
        if (_options.Observability.LogProfiles && Interlocked.Exchange(ref _logged, 1) == 0)
            LogProfiles(_logger, Address, _options.Throughput, _options.Retry, _options.Poison, _options.Observability, _options.Security);
        await _inFlight.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            return await CallAsync(call, await HeadersAsync(previousAttempts, ct).ConfigureAwait(false), Deadline(_options.Retry.CallTimeout, deadline), ct).ConfigureAwait(false);
        }
        finally
        {
            _inFlight.Release();
        }
    }

    /// <summary>Checks whether the server responds. The call is made even while it rejects the credentials.</summary>
    /// <exception cref="RpcException">It does not.</exception>
    internal async ValueTask ProbeAsync(CancellationToken ct)
        => await CallAsync(static (client, options) => client.SendAsync(new Message(), options), await HeadersAsync(0, ct).ConfigureAwait(false), Deadline(_options.Observability.ProbeTimeout, null), ct).ConfigureAwait(false);

    public void Dispose()
    {
        IsDisposed = true;
        _channel?.Dispose();
    }

    private async ValueTask<T> CallAsync<T>(Func<Inbox.InboxClient, CallOptions, AsyncUnaryCall<T>> call, Metadata headers, DateTime deadline, CancellationToken ct)
    {
        try
        {
            using var running = call(_client!, new CallOptions(headers, deadline, ct));
            var answer = await running.ResponseAsync.ConfigureAwait(false);
            _refusal = null;
            return answer;
        }
        catch (RpcException refused) when (GrpcErrors.IsRefused(refused))
        {
            if (_refusal is null)
                LogRefused(_logger, Address, _options.Retry.RefusedPause, refused);
            _refusal = new(_time.GetUtcNow() + _options.Retry.RefusedPause, $"{refused.StatusCode}: {refused.Status.Detail}");
            throw;
        }
        catch (RpcException cancelled) when (ct.IsCancellationRequested)
        {
            throw new OperationCanceledException("The call was cancelled; the message may have been sent.", cancelled, ct);
        }
    }

    private async ValueTask<Metadata> HeadersAsync(int previousAttempts, CancellationToken ct)
    {
        var headers = new Metadata();
        if (previousAttempts > 0)
            headers.Add(GrpcErrors.AttemptsHeader, previousAttempts.ToString(CultureInfo.InvariantCulture));
        if (_options.Security.Token is { } token)
            headers.Add("authorization", $"Bearer {await token(ct).ConfigureAwait(false)}");
        return headers;
    }

    // gRPC's deadlines use the system clock, whatever clock the pauses use.
    private static DateTime Deadline(TimeSpan limit, DateTimeOffset? deadline)
    {
        var latest = TimeProvider.System.GetUtcNow() + limit;
        return (deadline < latest ? deadline.Value : latest).UtcDateTime;
    }

    private static SocketsHttpHandler Handler(GrpcOptions options)
    {
        var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
            EnableMultipleHttp2Connections = options.Throughput.UseSeveralConnections,
            InitialHttp2StreamWindowSize = options.Throughput.WindowBytes,
            ConnectTimeout = options.Retry.CallTimeout,
            // Without them, a connection whose other side disappeared is only detected by the timeouts of TCP.
            KeepAlivePingDelay = TimeSpan.FromSeconds(30),
            KeepAlivePingTimeout = TimeSpan.FromSeconds(10),
            // The trace context is sent in the message.
            ActivityHeadersPropagator = null,
        };
        var security = options.Security;
        try
        {
            if (security.CaFile is { } caFile)
            {
                var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
                policy.CustomTrustStore.ImportFromPemFile(caFile);
                handler.SslOptions.CertificateChainPolicy = policy;
            }

            if (security.CertificateFile is { } certificateFile)
                handler.SslOptions.ClientCertificateContext = SslStreamCertificateContext.Create(X509Certificate2.CreateFromPemFile(certificateFile, security.KeyFile), additionalCertificates: null, offline: true);
        }
        catch (Exception unreadable) when (unreadable is System.Security.Cryptography.CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            handler.Dispose();
            throw new PostriderException(PostriderError.Configuration, $"GrpcOptions.Security ({security}) has a certificate that cannot be read: {unreadable.Message}", unreadable);
        }

        return handler;
    }

    [LoggerMessage(1, LogLevel.Information, "gRPC to {Address}. Effective profiles: {Throughput}; {Retry}; {Poison}; {Observability}; security: {Security}.")]
    private static partial void LogProfiles(ILogger logger, Uri address, GrpcThroughput throughput, GrpcRetry retry, GrpcPoison poison, GrpcObservability observability, GrpcSecurity security);

    [LoggerMessage(2, LogLevel.Error, "The inbox at {Address} rejected the credentials; nothing is sent for {Pause}.")]
    private static partial void LogRefused(ILogger logger, Uri address, TimeSpan pause, Exception failure);

    private sealed record Refusal(DateTimeOffset Until, string Reason);
}
