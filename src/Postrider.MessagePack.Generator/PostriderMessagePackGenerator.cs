using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.MessagePack.Generator.Emitting;
using Postrider.MessagePack.Generator.Parsing;

namespace Postrider.MessagePack.Generator;

/// <summary>Writes the formatters of the types that contexts name.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class PostriderMessagePackGenerator : IIncrementalGenerator
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
