using Postrider.Rpc;
using Postrider.UnitTests.Dispatch;

namespace Postrider.UnitTests.Rpc.Dispatching;

/// <summary>A contract whose messages are the dispatcher's.</summary>
[Service("units")]
internal interface IUnitContract
{
    ValueTask<int> AskAsync(UnitQuery query, CancellationToken ct = default);

    ValueTask RunAsync(UnitCommand command);

    [OneWay]
    ValueTask TellAsync(UnitAlone note);

    IAsyncEnumerable<int> CountAsync(UnitNumbers numbers, CancellationToken ct = default);
}
