using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a test wants to happen on the thread that begins an operation.</summary>
[Service("stage")]
internal interface IStage
{
    ValueTask<int> PlayAsync(int scene);
}

internal sealed class Stage(Func<int, int> play) : IStage
{
    public ValueTask<int> PlayAsync(int scene) => new(play(scene));
}
