using System.Globalization;
using System.Text;

namespace Postrider.CommandLine.Authority;

/// <summary>Writes what a server has to know about an operator and its accounts: a part of its configuration file.</summary>
internal static class ResolverConfig
{
    /// <summary>The text.</summary>
    /// <param name="store">The operator and its accounts.</param>
    /// <param name="directory">The folder in which the server keeps tokens that are pushed to it; null if it only knows those in the text.</param>
    internal static string Write(AuthorityStore store, string? directory)
    {
        var authority = store.ReadOperator();
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"# Operator {authority.Name}: include this file in a server's configuration.\noperator: {store.OperatorToken}\n");
        if (authority.SystemAccount is { Length: > 0 } system) text.Append(CultureInfo.InvariantCulture, $"system_account: {system}\n");
        if (directory is null) text.Append("resolver: MEMORY\n");
        else text.Append(CultureInfo.InvariantCulture, $"resolver {{\n  type: full\n  dir: \"{directory}\"\n  allow_delete: false\n  interval: \"2m\"\n}}\n");
        text.Append("resolver_preload {\n");
        foreach (var name in store.ListAccounts())
            text.Append(CultureInfo.InvariantCulture, $"  # {name}\n  {store.ReadAccount(name).Subject}: {store.ReadAccountToken(name)}\n");
        return text.Append("}\n").ToString();
    }
}
