using System.Linq;
using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>The data of the module that interceptors need.</summary>
/// <param name="IsHost">There is a generated dispatcher.</param>
/// <param name="Direct">Messages whose handler the generated dispatcher may call directly.</param>
internal sealed record InterceptorTargets(bool IsHost, EquatableArray<string> Direct)
{
    internal static InterceptorTargets Of(ModuleModel module) => new(
        module.Project.IsHost,
        new(module.Entries.Where(e => e.IsDirect).Select(e => e.Message.Full)));
}
