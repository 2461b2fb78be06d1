using System;
using Postrider.Generator.Parsing;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>The namespace of the code generated for a project as a whole.</summary>
internal static class GeneratedNamespace
{
    internal const string Name = CallSites.Namespace;

    /// <summary>Opens the namespace, with the aliases by which everything in it names the libraries' types.</summary>
    /// <remarks>The user's names cannot hide the target of an alias, and a thousand handlers are written
    /// and compiled in half the time that full names take. The aliases are inside the namespace, where they do not conflict with the user's
    /// own global aliases.</remarks>
    internal static IDisposable Generated(this SourceWriter source)
    {
        var block = source.Block("namespace " + Name);
        source.Line("using _P = global::Postrider;");
        source.Line("using _D = global::Postrider.Dispatch;");
        source.Line("using _S = global::System;");
        source.Line("using _G = global::System.Collections.Generic;");
        source.Line("using _R = global::System.Runtime.CompilerServices;");
        source.Line("using _T = global::System.Threading.Tasks;");
        source.Line("using _C = global::System.Threading.CancellationToken;");
        source.Line("using _I = global::Microsoft.Extensions.DependencyInjection;");
        return block;
    }
}
