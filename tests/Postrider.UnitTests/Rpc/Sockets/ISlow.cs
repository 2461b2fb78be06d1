using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>Answers when a test says so.</summary>
[Service("slow")]
internal interface ISlow
{
    ValueTask<int> AnswerAsync(int number, CallContext? context = null);
}
