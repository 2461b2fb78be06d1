using System.CommandLine;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider completion</c>: scripts with which a shell asks this program for completions.</summary>
/// <remarks>The program answers with the parser's <c>[suggest:POSITION]</c> directive, one word per line.</remarks>
internal static class CompletionVerb
{
    private const string Bash = """
        # postrider completion for bash. In ~/.bashrc: source <(postrider completion bash)
        _postrider() {
            local word=${COMP_WORDS[COMP_CWORD]} line
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in "$word"*) COMPREPLY+=("$line") ;; esac
            done < <(postrider "[suggest:$COMP_POINT]" "$COMP_LINE" 2>/dev/null)
            [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
        }
        complete -F _postrider postrider
        """;

    private const string Zsh = """
        #compdef postrider
        # postrider completion for zsh. In ~/.zshrc, after compinit: source <(postrider completion zsh)
        _postrider() {
            local -a words_that_fit
            local line="${(j: :)words[1,CURRENT]}"
            words_that_fit=("${(@f)$(postrider "[suggest:${#line}]" "$line" 2>/dev/null)}")
            compadd -- "${(@)words_that_fit:#}" || _files
        }
        compdef _postrider postrider
        """;

    private const string Fish = """
        # postrider completion for fish: postrider completion fish > ~/.config/fish/completions/postrider.fish
        complete -c postrider -a '(set -l line (commandline -cp | string trim --left); postrider "[suggest:"(string length -- "$line")"]" "$line" 2>/dev/null)'
        """;

    private const string PowerShell = """
        # postrider completion for PowerShell. In $PROFILE: postrider completion pwsh | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName postrider -ScriptBlock {
            param($wordToComplete, $commandAst, $cursorPosition)
            $position = $cursorPosition - $commandAst.Extent.StartOffset
            postrider "[suggest:$position]" ("$commandAst".PadRight($position)) 2>$null | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
            }
        }
        """;

    internal static Command Create()
    {
        var shell = new Argument<string>("shell") { Description = "bash, zsh, fish or pwsh" };
        shell.AcceptOnlyFromAmong("bash", "zsh", "fish", "pwsh");
        return LocalVerb.Create("completion", """
            Print the script that completes this program's commands in a shell.
              source <(postrider completion bash)
              source <(postrider completion zsh)
              postrider completion fish > ~/.config/fish/completions/postrider.fish
              postrider completion pwsh | Out-String | Invoke-Expression
            """, result => Console.WriteLine(Script(result.GetValue(shell)!)), shell);
    }

    private static string Script(string shell) => shell switch
    {
        "bash" => Bash,
        "zsh" => Zsh,
        "fish" => Fish,
        _ => PowerShell,
    };
}
