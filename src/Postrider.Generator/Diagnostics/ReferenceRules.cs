using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about the handlers of referenced projects, which do not know each other.</summary>
internal static class ReferenceRules
{
    internal static IEnumerable<Diagnostic> Check(HandlerIndex index)
    {
        if (!index.Project.IsHost)
            yield break;

        foreach (var handled in index.Project.Foreign.GroupBy(f => f.Message.Full))
        {
            var all = handled.ToList();
            if (all.Count < 2)
                continue;

            var message = all[0].Message.Display;
            if (ModuleModel.IsAmbiguous(all))
            {
                if (index.Project.Middleware.Concat(index.Middleware).Any(m => all.Any(f => MiddlewareFit.Apply(m, f) is not null)))
                {
                    yield return Diagnostic.Create(
                        DiagnosticDescriptors.UnreachableMiddleware, Location.None, "Middleware of this project",
                        $"does not run for {message} of a referenced project: {all[0].Assembly} and {all[1].Assembly} both have a type of that name");
                }
            }
            else if (all[0].Kind != MessageKind.Notification && !index.IsRouted(all[0].Message.Full))
            {
                yield return Diagnostic.Create(
                    DiagnosticDescriptors.DuplicateHandler, Location.None, $"{message}, which {all[0].HandledBy} handles,", all[1].HandledBy);
            }
        }
    }
}
