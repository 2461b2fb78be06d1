using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>A contract whose call ignores its cancellation.</summary>
[Service("hang")]
public interface IHang
{
    ValueTask<int> WaitAsync(CancellationToken ct = default);
}

internal sealed class Hang : IHang
{
    public TaskCompletionSource Entered { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public TaskCompletionSource<int> End { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ValueTask<int> WaitAsync(CancellationToken ct = default)
    {
        Entered.TrySetResult();
        return new(End.Task);
    }
}
