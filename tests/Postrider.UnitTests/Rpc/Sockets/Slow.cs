using System.Collections.Concurrent;
using System.Threading.Channels;
using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Sockets;

internal sealed class Slow : ISlow
{
    private readonly ConcurrentDictionary<int, TaskCompletionSource<int>> _answers = new();

    /// <summary>The numbers that were asked.</summary>
    public Channel<int> Asked { get; } = Channel.CreateUnbounded<int>();

    public ValueTask<int> AnswerAsync(int number, CallContext? context = null)
    {
        Asked.Writer.TryWrite(number);
        return new(Source(number).Task);
    }

    public void Answer(int number) => Source(number).SetResult(number);

    private TaskCompletionSource<int> Source(int number) => _answers.GetOrAdd(number, static _ => new(TaskCreationOptions.RunContinuationsAsynchronously));
}
