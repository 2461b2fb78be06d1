using System.Collections.Generic;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Emitting;
using Postrider.MessagePack.Generator.Model;
using Postrider.MessagePack.Generator.Parsing;

namespace Postrider.MessagePack.Generator;

/// <summary>Writes the formatters of the types that contexts name.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class PostriderMessagePackGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
        => context.RegisterSourceOutput(context.ForContexts(KnownNames.Serializable, Read), static (output, model) => ContextEmitter.Emit(output, model));

    // The generated code also rejects at run time what the analyzer reports as an error, because a build may run without analyzers.
    private static ContextModel? Read(INamedTypeSymbol type, CancellationToken ct)
    {
        var diagnostics = new List<DiagnosticInfo>();
        var model = ContextReader.Read(type, diagnostics, ct);
        return model is null || diagnostics.Count == 0 ? model : model with { Defect = diagnostics[0].ToString() };
    }
}
