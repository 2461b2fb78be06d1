using System.Text.Json.Serialization;
using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>A contract whose implementation keeps state between calls.</summary>
[Service("visit")]
public interface IVisit
{
    /// <summary>The number of calls so far.</summary>
    ValueTask<int> CountAsync();

    /// <summary>Lasts until the call is cancelled.</summary>
    ValueTask StayAsync(CancellationToken ct = default);

    /// <summary>Lasts until the test lets it go, whatever happens to its caller.</summary>
    ValueTask<int> InsistAsync();
}

/// <summary>A second contract of the same connections.</summary>
[Service("guestbook")]
public interface IGuestbook
{
    /// <summary>The number of the connection's scope.</summary>
    ValueTask<int> ScopeAsync();
}

[JsonSerializable(typeof(int))]
internal sealed partial class VisitJson : JsonSerializerContext;
