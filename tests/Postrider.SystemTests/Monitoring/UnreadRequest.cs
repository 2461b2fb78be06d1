using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Postrider.SystemTests.Monitoring;

/// <summary>A request of a client that reads nothing of the response.</summary>
internal sealed class UnreadRequest : IHttpRequestLifetimeFeature
{
    internal UnreadRequest(string target)
    {
        var parts = target.Split('?', 2);
        Context = new DefaultHttpContext
        {
            Request = { Method = "GET", Path = parts[0], QueryString = new QueryString(parts.Length > 1 ? "?" + parts[1] : "") },
            Response = { Body = new BlockedStream() },
        };
        Context.Features.Set<IHttpRequestLifetimeFeature>(this);
    }

    public CancellationToken RequestAborted { get; set; }

    internal DefaultHttpContext Context { get; }

    /// <summary>Ends when the first bytes are written.</summary>
    internal Task Written => Body.Written;

    internal int Writes => Body.Writes;

    internal bool IsAborted { get; private set; }

    private BlockedStream Body => (BlockedStream)Context.Response.Body;

    public void Abort() => IsAborted = true;

    private sealed class BlockedStream : MemoryStream
    {
        private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Written => _written.Task;

        internal int Writes { get; private set; }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Writes++;
            _written.TrySetResult();
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }
    }
}
