using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>What this compilation registers by calls with type arguments: scoped services, and messages handled elsewhere.</summary>
internal static class RegisteredTypes
{
    private static readonly HashSet<string> s_scoped = ["AddScoped", "AddDbContext", "TryAddScoped"];
    private static readonly HashSet<string> s_correlated = ["Correlate"];
    private static readonly HashSet<string> s_routed = ["Route", "RouteStream", "Replace", "ReplaceCommand", "ReplaceStream"];

    // Methods of the list of messages that the configuration may route; bindings have methods of the same names.
    private static readonly HashSet<string> s_listed = ["Request", "Command", "Stream"];

    internal static HashSet<string> Scoped(Compilation compilation, CancellationToken ct) => Find(compilation, s_scoped, [], ct);

    internal static HashSet<string> Routed(Compilation compilation, CancellationToken ct) => Find(compilation, s_routed, s_listed, ct);

    internal static HashSet<string> Correlated(Compilation compilation, CancellationToken ct) => Find(compilation, s_correlated, [], ct);

    private static HashSet<string> Find(Compilation compilation, HashSet<string> methods, HashSet<string> listed, CancellationToken ct)
    {
        var found = new HashSet<string>();
        foreach (var tree in compilation.SyntaxTrees)
        {
            SemanticModel? semantics = null;
            foreach (var name in tree.GetRoot(ct).DescendantNodes().OfType<GenericNameSyntax>())
            {
                var isListed = listed.Contains(name.Identifier.Text);
                if (!isListed && !methods.Contains(name.Identifier.Text))
                    continue;

                semantics ??= compilation.GetSemanticModel(tree);
                if (isListed && (semantics.GetSymbolInfo(name, ct).Symbol is not IMethodSymbol method || TypeNames.Definition(method.ContainingType) != KnownNames.RoutableMessages))
                    continue;
                if (semantics.GetTypeInfo(name.TypeArgumentList.Arguments[0], ct).Type is { } type)
                    found.Add(TypeNames.Full(type));
            }
        }

        return found;
    }
}
