using System.CommandLine;
using Postrider.CommandLine.Authority;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth resolver-config</c>.</summary>
internal static class AuthResolverConfigVerb
{
    internal static Command Create()
    {
        var folder = AuthVerb.Folder();
        var file = new Option<string?>("--out") { Description = "File to write, instead of the output" };
        var directory = new Option<string?>("--resolver-dir") { Description = "Folder in which the server keeps tokens that are pushed to it; without it the server knows those in the file alone" };
        return LocalVerb.Create("resolver-config", """
            Write what a server needs to know of the operator and its accounts, to be included in its configuration.
              postrider auth resolver-config --out resolver.conf
            """, Run, file, directory, folder);

        void Run(ParseResult result)
        {
            var text = ResolverConfig.Write(AuthVerb.Open(result, folder), result.GetValue(directory));
            if (result.GetValue(file) is not { } path)
            {
                Console.Write(text);
                return;
            }
            File.WriteAllText(path, text);
            Console.WriteLine($"Configuration: {path}");
        }
    }
}
