using Postrider.CommandLine.Serving;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Which mappings of the program may be released: those without a changed page.</summary>
public sealed class StartPagesTests
{
    private const string Mappings =
        """
        00200000-00761000 r--p 00000000 fe:00 5849112                            /usr/bin/postrider
        Size:               5508 kB
        Anonymous:             0 kB
        VmFlags: rd mr mw me
        00761000-00762000 r--p 00561000 fe:00 5849112                            /usr/bin/postrider
        Anonymous:             4 kB
        00aec000-01ae3000 r-xp 008eb000 fe:00 5849112                            /usr/bin/postrider
        Anonymous:             0 kB
        01ae3000-01ae5000 r--p 018e1000 fe:00 5849112                            /usr/bin/postrider
        Anonymous:             4 kB
        01ae5000-0226b000 rw-p 018e2000 fe:00 5849112                            /usr/bin/postrider
        Anonymous:             0 kB
        0226b000-022c2000 rw-p 00000000 00:00 0
        Anonymous:             0 kB
        7f0000000000-7f0000021000 r--p 00000000 fe:00 12                         /usr/lib/x86_64-linux-gnu/libc.so.6
        Anonymous:             0 kB
        7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0                          [stack]
        Anonymous:             0 kB
        """;

    [Fact]
    public void Mappings_without_changes_of_the_program_alone_are_found()
        => Assert.Equal(
            [(0x200000, 0x561000u), (0xaec000, 0xff7000u)],
            StartPages.FindUnchanged(Mappings.Split('\n'), "/usr/bin/postrider"));

    [Theory]
    [InlineData("")]
    [InlineData("nothing like it\nAnonymous:             0 kB")]
    [InlineData("xyz-abc r--p 0 0 0 /usr/bin/postrider\nAnonymous:             0 kB")]
    [InlineData("fed r--p 0 0 0 /usr/bin/postrider\nAnonymous:             0 kB")]
    public void Other_text_has_none(string text) => Assert.Empty(StartPages.FindUnchanged(text.Split('\n'), "/usr/bin/postrider"));
}
