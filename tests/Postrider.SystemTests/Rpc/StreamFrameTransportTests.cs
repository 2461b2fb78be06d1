using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Postrider.Rpc.Framing;

namespace Postrider.SystemTests.Rpc;

/// <summary>A TLS session as a transport.</summary>
public sealed class StreamFrameTransportTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // Two threads in one session of OpenSSL corrupt its memory, and the framework takes no lock when it says the end.
    [Fact]
    public async Task End_of_a_session_is_said_while_nothing_is_read()
    {
        using var certificate = Certificate();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var caller = new TcpClient();
        var accepting = listener.AcceptSocketAsync();
        await caller.ConnectAsync(IPAddress.Loopback, ((IPEndPoint)listener.LocalEndpoint).Port);
        await using var watched = new WatchedStream(new NetworkStream(await accepting, ownsSocket: true));
        await using var near = new SslStream(watched);
        await using var far = new SslStream(caller.GetStream());
        var greeting = far.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost", RemoteCertificateValidationCallback = (_, theirs, _, _) => theirs?.GetCertHashString() == certificate.GetCertHashString() });
        await near.AuthenticateAsServerAsync(certificate).WaitAsync(Patience);
        await greeting.WaitAsync(Patience);
        var transport = new StreamFrameTransport(near, "peer") { OnReceived = () => { } };
        Assert.True(transport.Receive(new byte[100], 0, 100));
        Assert.Equal(1, watched.Reads);
        var written = watched.Writes;

        transport.Dispose();
        await transport.Closed.WaitAsync(Patience);

        Assert.Equal(written + 1, watched.Writes);
        Assert.Equal(0, watched.ReadsAtWrite);
        Assert.Equal(0, await far.ReadAsync(new byte[1]).AsTask().WaitAsync(Patience));
    }

    private static X509Certificate2 Certificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    // Knows what is under way below a session.
    private sealed class WatchedStream(NetworkStream inner) : Stream
    {
        private int _reads;

        public int Reads => Volatile.Read(ref _reads);

        public int Writes { get; private set; }

        // Reads that were under way when something was written last.
        public int ReadsAtWrite { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Interlocked.Increment(ref _reads);
            try
            {
                return await inner.ReadAsync(buffer, cancellationToken);
            }
            finally
            {
                Interlocked.Decrement(ref _reads);
            }
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Writes++;
            ReadsAtWrite = Reads;
            return inner.WriteAsync(buffer, cancellationToken);
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush()
        {
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            if (disposing) inner.Dispose();
            base.Dispose(disposing);
        }
    }
}
