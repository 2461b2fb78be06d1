using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Xml.Generator.Emitting;
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
                static (c, ct) => ContextReader.Read((INamedTypeSymbol)c.TargetSymbol, null, ct))
            .Where(static found => found is not null)
            .WithTrackingName("Contexts");
        context.RegisterSourceOutput(contexts, static (output, model) => ContextEmitter.Emit(output, model));
    }
}
