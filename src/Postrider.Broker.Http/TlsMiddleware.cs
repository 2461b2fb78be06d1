using System.IO.Pipelines;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Adds TLS between Kestrel's transport and its HTTP, with the broker's current certificate.</summary>
internal sealed class TlsMiddleware(IBrokerState state, ILogger logger)
{
    /// <summary>Serves one connection.</summary>
    /// <param name="connection">The transport's connection.</param>
    /// <param name="next">HTTP.</param>
    internal async Task RunAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        var transport = connection.Transport;
        var stream = new SslStream(new DuplexStream(transport), leaveInnerStreamOpen: false);
        await using var closing = stream.ConfigureAwait(false);
        if (!await TryAuthenticateAsync(stream, connection).ConfigureAwait(false)) return;
        // Kestrel derives the scheme https from this feature.
        connection.Features.Set<ITlsConnectionFeature>(new Secured());
        connection.Transport = new DuplexPipe(PipeReader.Create(stream), PipeWriter.Create(stream));
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            await connection.Transport.Output.CompleteAsync().ConfigureAwait(false);
            await connection.Transport.Input.CompleteAsync().ConfigureAwait(false);
            connection.Transport = transport;
        }
    }

    private async Task<bool> TryAuthenticateAsync(SslStream stream, ConnectionContext connection)
    {
        // A reload may have switched TLS off; the port still uses it.
        if (state.MonitoringTls is not { } options) return false;
        using var patience = new CancellationTokenSource((state.Options.Tls ?? new()).Timeout, state.Options.TimeProvider);
        try
        {
            await stream.AuthenticateAsServerAsync(options, patience.Token).ConfigureAwait(false);
            return true;
        }
        catch (Exception error) when (error is AuthenticationException or IOException or OperationCanceledException)
        {
            MonitoringLog.HandshakeFailed(logger, connection.RemoteEndPoint, error.Message);
            return false;
        }
    }

    // The monitoring pages request no client certificate.
    private sealed class Secured : ITlsConnectionFeature
    {
        public X509Certificate2? ClientCertificate { get; set; }

        public Task<X509Certificate2?> GetClientCertificateAsync(CancellationToken cancellationToken) => Task.FromResult(ClientCertificate);
    }

    private sealed class DuplexPipe(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
