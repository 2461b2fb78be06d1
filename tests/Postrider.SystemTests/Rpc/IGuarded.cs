using Microsoft.AspNetCore.Authorization;
using Postrider.Rpc;
using Postrider.Xml;

namespace Postrider.SystemTests.Rpc;

/// <summary>A contract that asks who calls.</summary>
[Service("guarded")]
public interface IGuarded
{
    [AllowAnonymous]
    ValueTask<string> OpenAsync();

    [Authorize]
    ValueTask<string> KnownAsync();

    [Authorize("keeper")]
    ValueTask<string> KeptAsync();
}

internal sealed class Guarded : IGuarded
{
    public ValueTask<string> OpenAsync() => new("open");

    public ValueTask<string> KnownAsync() => new("known");

    public ValueTask<string> KeptAsync() => new("kept");
}

[XmlSerializable(typeof(IGuarded))]
internal sealed partial class GuardedXml : XmlContext;
