package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/wheelscope/wheelscope/web"
)

// tokenVariable is the environment variable that contains the token of the serve command.
const tokenVariable = "WHEELSCOPE_TOKEN"

// tokenText returns the token given by the flags or the environment, or "" if there is none. given reports
// whether the user has set the named flag.
func (f *flags) tokenText(given func(flag string) bool) (string, error) {
	switch {
	case given("token") && given("token-file"):
		return "", errors.New("both --token and --token-file are given; expected one of them")
	case given("token"):
		return someToken("--token", f.token)
	case given("token-file"):
		return readToken(f.tokenFile)
	}
	if text, ok := os.LookupEnv(tokenVariable); ok {
		return someToken(tokenVariable, text)
	}
	return "", nil
}

// someToken returns text, which is a token. If text is empty, someToken returns an error, because an empty token
// would protect nothing. The error message begins with from, which describes where the token was given: a flag, a
// file or an environment variable.
func someToken(from, text string) (string, error) {
	if text == "" {
		return "", fmt.Errorf("%s is empty; expected a token of %d characters or more", from, web.TokenMin)
	}
	return text, nil
}

// readToken returns the first line of the named file. It returns an error if that line is empty.
func readToken(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 2*web.TokenMax))
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return someToken("--token-file: the first line of "+name, strings.TrimSuffix(line, "\r"))
}
