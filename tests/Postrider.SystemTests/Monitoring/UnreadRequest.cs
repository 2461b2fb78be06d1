using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker.Http;

namespace Postrider.SystemTests.Monitoring;

/// <summary>A request of a client that reads nothing of the response.</summary>
internal sealed class UnreadRequest : IHttpRequestLifetimeFeature
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

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

    private BlockedStream Body => (BlockedStream)Context.Response.Body;

    private bool IsAborted { get; set; }

    public void Abort() => IsAborted = true;

    /// <summary>Asserts that the client is disconnected when it has read nothing for <see cref="ResponseWriter.WriteLimit"/>, and not before.</summary>
    /// <param name="served">The handling of the request.</param>
    /// <param name="time">The clock of the pages.</param>
    /// <returns>The handling, which has ended.</returns>
    internal async Task<Task> DropAsync(Task served, FakeTimeProvider time)
    {
        await Body.Written.WaitAsync(s_patience, TestContext.Current.CancellationToken);
        time.Advance(ResponseWriter.WriteLimit - TimeSpan.FromSeconds(1));
        Assert.False(served.IsCompleted);
        Assert.False(IsAborted);
        time.Advance(TimeSpan.FromSeconds(1));
        await Task.WhenAny(served).WaitAsync(s_patience, TestContext.Current.CancellationToken);
        Assert.True(IsAborted);
        Assert.Equal(1, Body.Writes);
        return served;
    }

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
