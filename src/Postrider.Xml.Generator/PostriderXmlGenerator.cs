using System.Collections.Generic;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Xml.Generator.Diagnostics;
using Postrider.Xml.Generator.Emitting;
using Postrider.Xml.Generator.Model;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator;

/// <summary>Writes the formatters of the types that contexts name.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class PostriderXmlGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var contexts = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                Names.Serializable,
                static (node, _) => node is ClassDeclarationSyntax,
                static (c, ct) => Read((INamedTypeSymbol)c.TargetSymbol, ct))
            .Where(static found => found is not null)
            .WithTrackingName("Contexts");
        context.RegisterSourceOutput(contexts, static (output, model) => ContextEmitter.Emit(output, model));
    }

    // What the analyzer reports as an error is refused at run time too, as a build may run without analyzers.
    private static ContextModel Read(INamedTypeSymbol type, CancellationToken ct)
    {
        var problems = new List<Problem>();
        var model = ContextReader.Read(type, problems, ct);
        return model is null || problems.Count == 0 ? model : model with { Defect = Rules.Text(problems[0]) };
    }
}
