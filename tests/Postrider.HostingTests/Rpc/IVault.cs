using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Authorization.Infrastructure;
using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>A contract with authorization attributes of the application's own.</summary>
[Service("vault")]
public interface IVault
{
    [Keepers]
    ValueTask<int> OpenAsync();

    [WithBadge]
    ValueTask<int> EnterAsync();
}

/// <summary>Derives from the attribute of ASP.NET Core.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class KeepersAttribute : AuthorizeAttribute
{
    public KeepersAttribute() => Roles = "keeper";
}

/// <summary>Has requirements and no policy.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WithBadgeAttribute : Attribute, IAuthorizationRequirementData
{
    public IEnumerable<IAuthorizationRequirement> GetRequirements() => [new ClaimsAuthorizationRequirement("badge", null)];
}

internal sealed class Vault : IVault
{
    public ValueTask<int> OpenAsync() => new(1);

    public ValueTask<int> EnterAsync() => new(2);
}
